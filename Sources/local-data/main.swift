print("local-data")
