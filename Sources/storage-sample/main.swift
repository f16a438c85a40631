print("storage-sample")
