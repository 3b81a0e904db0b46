namespace CamCube.Tool.Memcached;

/// <summary>A memcached command line that cannot be followed; the message is for people.</summary>
internal sealed class MemcachedException(string message) : Exception(message);
