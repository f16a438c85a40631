#include <libsecret/secret.h>

// Swift imports neither long arrays of structures nor functions with a variable number of arguments.

static inline const SecretSchema *local_data_schema(void) {
  static const SecretSchema schema = {
    "org.localdata.RootKey", SECRET_SCHEMA_NONE, {
      { "key-id", SECRET_SCHEMA_ATTRIBUTE_STRING },
      { "application", SECRET_SCHEMA_ATTRIBUTE_STRING },
      { "group", SECRET_SCHEMA_ATTRIBUTE_STRING },
    }
  };
  return &schema;
}

// Returns the attributes of an item. `application` and `group` may be null.
static inline GHashTable *local_data_attributes(const char *key_id, const char *application, const char *group) {
  GHashTable *attributes = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
  g_hash_table_insert(attributes, (gpointer)"key-id", g_strdup(key_id));
  if (application) g_hash_table_insert(attributes, (gpointer)"application", g_strdup(application));
  if (group) g_hash_table_insert(attributes, (gpointer)"group", g_strdup(group));
  return attributes;
}

// Returns the keyring that new items are stored in, or null if there is none or it cannot be found out.
static inline SecretCollection *local_data_default_collection(SecretService *service) {
  return secret_collection_for_alias_sync(service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, NULL, NULL);
}

// Returns true if an error says that a keyring is locked.
static inline gboolean local_data_is_locked(const GError *error) {
  return g_error_matches(error, SECRET_ERROR, SECRET_ERROR_IS_LOCKED);
}
