final class Untraced {
    public static void main(String[] arguments) {
        System.out.println("ran");
    }
}
