namespace CamCube.Services.Cache.FrontEnds;

/// <summary>Tells a connection's protocol by its first byte, as memcached does.</summary>
internal static class ProtocolSelector
{
    private const byte BinaryRequest = 0x80;

    /// <summary>The protocol, or null if none is spoken that begins so: the connection is closed.</summary>
    internal static IClientProtocol? Select(byte first, MemcachedContext context) =>
        first == BinaryRequest ? null : new TextProtocol(context);
}
