package junit.extensions;

public class RepeatedTest extends TestDecorator {}
