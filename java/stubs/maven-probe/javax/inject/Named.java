package javax.inject;

/** Declaration for the compiler only; Maven brings the real one. */
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
public @interface Named {}
