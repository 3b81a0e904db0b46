namespace CamCube.Memcached;

/// <summary>The program cannot do what its command line asks for; the message is for people.</summary>
/// <param name="message">The message.</param>
/// <param name="code">The exit code.</param>
internal sealed class MemcachedException(string message, int code = MemcachedProgram.Usage) : Exception(message)
{
    public int Code => code;
}
