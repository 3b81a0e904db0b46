namespace CamCube.Services.Cache.Memcached.Settings;

/// <summary>Whose protocol is spoken, and by what.</summary>
internal static class ProtocolVersion
{
    /// <summary>The answer to <c>version</c>; why it is so says <c>MemcachedFrontEnd.Version</c>.</summary>
    public const string Text = "1.6.18-camcube-0.1.0";
}
