// swift-format-ignore-file
@usableFromInline internal func _swift_stdlib_gettid() -> Swift.UInt32
