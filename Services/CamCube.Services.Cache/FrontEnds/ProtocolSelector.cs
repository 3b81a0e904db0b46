namespace CamCube.Services.Cache.FrontEnds;

/// <summary>Tells a connection's protocol by the options or by its first byte, as memcached does; it stays to the
/// end.</summary>
internal static class ProtocolSelector
{
    /// <summary>The protocol of a connection that begins so.</summary>
    public static IClientProtocol Select(byte first, MemcachedContext context)
    {
        if (context.Users is { } users)
        {
            return new AuthenticatingProtocol(context, users);
        }

        bool isBinary = context.Options.Protocol switch
        {
            MemcachedProtocol.Ascii => false,
            MemcachedProtocol.Binary => true,
            _ => first == BinaryHeader.RequestMagic,
        };
        return isBinary ? new BinaryProtocol(context) : new TextProtocol(context);
    }
}
