using Microsoft.Extensions.Logging;

namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>Log messages of memcached's commands; ids 5200 to 5219. Those of its connections are
/// CamCube.FrontEnds'.</summary>
internal static partial class MemcachedLog
{
    [LoggerMessage(5200, LogLevel.Error, "A memcached command failed; the client was told SERVER_ERROR.")]
    public static partial void CommandFailed(ILogger logger, Exception error);
}
