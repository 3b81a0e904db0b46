namespace CamCube.Messaging.Tests;

internal static class TestBytes
{
    public static byte[] Of(int length, int seed)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }
}
