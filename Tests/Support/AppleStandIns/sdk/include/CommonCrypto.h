// CommonKeyDerivation and CommonCryptoError (apple-oss-distributions/CommonCrypto): names, types, availability.
// The headers have no nullability annotations, so pointers are implicitly unwrapped optionals in Swift.
#pragma once
#include "Darwin.h"

enum { kCCSuccess = 0, kCCParamError = -4300 };
enum { kCCPBKDF2 = 2 };
enum {
  kCCPRFHmacAlgSHA1 = 1,
  kCCPRFHmacAlgSHA224 = 2,
  kCCPRFHmacAlgSHA256 = 3,
  kCCPRFHmacAlgSHA384 = 4,
  kCCPRFHmacAlgSHA512 = 5,
};
typedef unsigned int CCPBKDFAlgorithm;
typedef unsigned int CCPseudoRandomAlgorithm;

int CCKeyDerivationPBKDF(
    CCPBKDFAlgorithm algorithm, const char *password, size_t passwordLen, const unsigned char *salt, size_t saltLen,
    CCPseudoRandomAlgorithm prf, unsigned rounds, unsigned char *derivedKey, size_t derivedKeyLen)
    __attribute__((availability(macos, introduced = 10.7))) __attribute__((availability(ios, introduced = 5.0)));
