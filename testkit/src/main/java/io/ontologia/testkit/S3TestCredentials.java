package io.ontologia.testkit;

import java.util.Map;
import software.amazon.awssdk.core.SdkSystemSetting;

/** Whom the servers of this process let in. */
record S3TestCredentials(String accessKey, String secretKey) {

    /** What the AWS SDK's default chain finds first. Sets it when nobody did. */
    static synchronized S3TestCredentials ofThisProcess() {
        propertyOr(SdkSystemSetting.AWS_EC2_METADATA_DISABLED, "true");
        return new S3TestCredentials(
                propertyOr(SdkSystemSetting.AWS_ACCESS_KEY_ID, "test"),
                propertyOr(SdkSystemSetting.AWS_SECRET_ACCESS_KEY, "testtest"));
    }

    Map<String, String> environment() {
        return Map.of(
                SdkSystemSetting.AWS_ACCESS_KEY_ID.environmentVariable(), accessKey,
                SdkSystemSetting.AWS_SECRET_ACCESS_KEY.environmentVariable(), secretKey,
                SdkSystemSetting.AWS_EC2_METADATA_DISABLED.environmentVariable(), "true");
    }

    private static String propertyOr(SdkSystemSetting setting, String value) {
        String present = System.getProperty(setting.property());
        if (present != null) {
            return present;
        }
        System.setProperty(setting.property(), value);
        return value;
    }
}
