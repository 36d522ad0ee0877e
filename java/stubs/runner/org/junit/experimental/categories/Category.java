package org.junit.experimental.categories;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Since 4.8; inherited by subclasses since 4.12. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Category {
    Class<?>[] value();
}
