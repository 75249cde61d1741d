package io.ontologia.naming;

import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StorageProvider;
import io.ontologia.core.spi.Storages;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.naming.internal.Announcer;
import io.ontologia.naming.internal.NamedStorage;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.S3Options;
import java.util.Map;

/**
 * Opens {@code ns://alias}: the store that the record of the alias names, in the nameservice of the setting {@code
 * nameservice_uri}. Commits move the head of the record, as with {@link StoreNaming}.
 */
public final class NamedStoreProvider implements StorageProvider {
    /** The setting that names the nameservice. */
    public static final String NAMESERVICE_URI = "nameservice_uri";

    /** The setting with the token that the nameservice wants. Secret. */
    public static final String NAMESERVICE_TOKEN = "nameservice_token";

    private static final String SCHEME = "ns://";

    @Override
    public boolean accepts(String uri) {
        return uri.startsWith(SCHEME);
    }

    @Override
    public String uriForm() {
        return "ns://alias";
    }

    @Override
    public Storage open(String uri, StorageOptions options) {
        Alias alias = Alias.parse(uri.substring(SCHEME.length()));
        Nameservice names = nameservice(alias, options);
        try {
            String storageUri = StoreRecord.requireStorageUri(
                    names.lookup(alias).orElseThrow(() -> new NameNotFoundException(alias)));
            Storage store = Storages.open(storageUri, options);
            StoreRecord record = new StoreRecord(names, alias, storageUri);
            return new NamedStorage(store, new Announcer(record, store), names::close);
        } catch (RuntimeException e) {
            names.close();
            throw e;
        }
    }

    private static Nameservice nameservice(Alias alias, StorageOptions options) {
        Map<String, String> settings = options.settings();
        String uri = settings.getOrDefault(NAMESERVICE_URI, "");
        if (uri.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot open '" + alias + "' by its name",
                    "no nameservice is named",
                    "set " + NAMESERVICE_URI);
        }
        NameserviceOptions reach = NameserviceOptions.defaults()
                .objectStore(
                        ObjectStoreOptions.defaults().s3(S3Options.of(settings)).lockTimeout(options.lockTimeout()))
                .clock(options.clock());
        String token = settings.getOrDefault(NAMESERVICE_TOKEN, "");
        if (options.mode() == StorageOptions.Mode.READ_ONLY || token.isEmpty()) {
            // A token for reading shows no secrets, and neither does a server without a token.
            reach = reach.setting(NameserviceOptions.HTTP_SECRETS, "redacted");
        }
        return Nameservices.open(uri, token.isEmpty() ? reach : reach.setting(NameserviceOptions.HTTP_TOKEN, token));
    }
}
