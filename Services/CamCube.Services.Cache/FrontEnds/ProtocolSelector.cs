namespace CamCube.Services.Cache.FrontEnds;

/// <summary>Tells a connection's protocol by its first byte, as memcached does; it stays to the end.</summary>
internal static class ProtocolSelector
{
    /// <summary>The protocol of a connection that begins so.</summary>
    internal static IClientProtocol Select(byte first, MemcachedContext context) =>
        first == BinaryHeader.RequestMagic ? new BinaryProtocol(context) : new TextProtocol(context);
}
