// The Objective-C part of Foundation that only tests, the tool and the samples use: files, processes, JSON.
#pragma once
#import "Foundation.h"

#pragma clang assume_nonnull begin
@interface NSNull : NSObject
@end

@interface NSEnumerator<ObjectType> : NSObject
- (nullable ObjectType)nextObject;
@end
NAMED("FileManager.DirectoryEnumerator")
@interface NSDirectoryEnumerator<ObjectType> : NSEnumerator<ObjectType>
@end

typedef enum __attribute__((flag_enum, enum_extensibility(open), swift_name("FileManager.DirectoryEnumerationOptions"))) NSDirectoryEnumerationOptions : NSUInteger {
  NSDirectoryEnumerationSkipsHiddenFiles = 4,
} NSDirectoryEnumerationOptions;
typedef NSString *NSURLResourceKey __attribute__((swift_wrapper(struct))) __attribute__((swift_name("URLResourceKey")));

extern const NSFileAttributeKey NSFileSystemFileNumber;
extern const NSFileAttributeKey NSFileModificationDate;
extern const NSFileAttributeKey NSFileType;
extern const NSFileAttributeKey NSFileSize;

@interface NSFileManager (Files)
@property (readonly, copy) NSString *currentDirectoryPath;
- (BOOL)createFileAtPath:(NSString *)path contents:(nullable NSData *)data attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attr __attribute__((swift_attr("@discardableResult")));
- (nullable NSData *)contentsAtPath:(NSString *)path;
- (BOOL)createDirectoryAtPath:(NSString *)path withIntermediateDirectories:(BOOL)createIntermediates attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attributes error:(NSError **)error;
- (BOOL)createSymbolicLinkAtPath:(NSString *)path withDestinationPath:(NSString *)destPath error:(NSError **)error;
- (BOOL)createSymbolicLinkAtURL:(NSURL *)url withDestinationURL:(NSURL *)destURL error:(NSError **)error;
- (nullable NSString *)destinationOfSymbolicLinkAtPath:(NSString *)path error:(NSError **)error;
- (BOOL)removeItemAtPath:(NSString *)path error:(NSError **)error;
- (BOOL)moveItemAtPath:(NSString *)srcPath toPath:(NSString *)dstPath error:(NSError **)error;
- (BOOL)copyItemAtPath:(NSString *)srcPath toPath:(NSString *)dstPath error:(NSError **)error;
- (BOOL)linkItemAtURL:(NSURL *)srcURL toURL:(NSURL *)dstURL error:(NSError **)error;
- (BOOL)linkItemAtPath:(NSString *)srcPath toPath:(NSString *)dstPath error:(NSError **)error;
- (BOOL)isExecutableFileAtPath:(NSString *)path;
- (nullable NSDictionary<NSFileAttributeKey, id> *)attributesOfItemAtPath:(NSString *)path error:(NSError **)error;
- (nullable NSArray<NSString *> *)subpathsOfDirectoryAtPath:(NSString *)path error:(NSError **)error;
- (nullable NSArray<NSURL *> *)contentsOfDirectoryAtURL:(NSURL *)url includingPropertiesForKeys:(nullable NSArray<NSURLResourceKey> *)keys options:(NSDirectoryEnumerationOptions)mask error:(NSError **)error;
- (nullable NSDirectoryEnumerator<NSString *> *)enumeratorAtPath:(NSString *)path;
@end

@interface NSBundle (Files)
@property (class, readonly, copy) NSArray<NSBundle *> *allBundles;
@property (readonly, copy) NSString *bundlePath;
@property (readonly, copy) NSURL *bundleURL;
@property (nullable, readonly, copy) NSURL *executableURL;
@end

@interface NSString (Files)
@property (readonly, copy) NSString *deletingLastPathComponent;
@property (readonly, copy) NSString *lastPathComponent;
@end

NAMED("FileHandle")
@interface NSFileHandle : NSObject
@property (class, readonly, strong) NSFileHandle *fileHandleWithNullDevice NAMED("nullDevice");
+ (nullable instancetype)fileHandleForReadingAtPath:(NSString *)path NAMED("init(forReadingAtPath:)");
+ (nullable instancetype)fileHandleForReadingFromURL:(NSURL *)url error:(NSError **)error NAMED("init(forReadingFrom:)");
+ (nullable instancetype)fileHandleForWritingToURL:(NSURL *)url error:(NSError **)error NAMED("init(forWritingTo:)");
- (BOOL)closeAndReturnError:(NSError **)error AVAILABLE(10.15, 13.0, 6.0) NAMED("close()");
@end
NAMED("Pipe")
@interface NSPipe : NSObject
@property (readonly, retain) NSFileHandle *fileHandleForReading;
@property (readonly, retain) NSFileHandle *fileHandleForWriting;
@end

// The class does not exist in the SDKs of iOS and watchOS.
#if __ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__
NAMED("Process")
@interface NSTask : NSObject
@property (nullable, copy) NSURL *executableURL;
@property (nullable, copy) NSURL *currentDirectoryURL;
@property (nullable, copy) NSArray<NSString *> *arguments;
@property (nullable, copy) NSDictionary<NSString *, NSString *> *environment;
@property (nullable, retain) id standardInput;
@property (nullable, retain) id standardOutput;
@property (nullable, retain) id standardError;
@property (readonly) int processIdentifier;
@property (readonly, getter=isRunning) BOOL running;
@property (readonly) int terminationStatus;
- (BOOL)launchAndReturnError:(NSError **)error NAMED("run()");
- (void)terminate;
- (void)waitUntilExit;
@end
#endif

typedef enum __attribute__((flag_enum, enum_extensibility(open), swift_name("JSONSerialization.ReadingOptions"))) NSJSONReadingOptions : NSUInteger {
  NSJSONReadingMutableContainers = 1,
} NSJSONReadingOptions;
typedef enum __attribute__((flag_enum, enum_extensibility(open), swift_name("JSONSerialization.WritingOptions"))) NSJSONWritingOptions : NSUInteger {
  NSJSONWritingPrettyPrinted = 1,
} NSJSONWritingOptions;
NAMED("JSONSerialization")
@interface NSJSONSerialization : NSObject
+ (nullable NSData *)dataWithJSONObject:(id)obj options:(NSJSONWritingOptions)opt error:(NSError **)error;
+ (nullable id)JSONObjectWithData:(NSData *)data options:(NSJSONReadingOptions)opt error:(NSError **)error;
@end

NAMED("ISO8601DateFormatter")
@interface NSISO8601DateFormatter : NSObject
- (nullable NSDate *)dateFromString:(NSString *)string;
- (NSString *)stringFromDate:(NSDate *)date;
@end
#pragma clang assume_nonnull end
