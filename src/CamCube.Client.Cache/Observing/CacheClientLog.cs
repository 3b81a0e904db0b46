using Microsoft.Extensions.Logging;

namespace CamCube.Client.Cache.Observing;

/// <summary>Messages of the cache client. Event ids 6200 to 6219 are this project's; an id is never used again for
/// something else.</summary>
internal static partial class CacheClientLog
{
    [LoggerMessage(6200, LogLevel.Warning, "Cache server {Server} does not serve: {Reason}")]
    public static partial void ServerLost(ILogger logger, string server, string reason);

    [LoggerMessage(6201, LogLevel.Information, "Cache server {Server} serves again")]
    public static partial void ServerBack(ILogger logger, string server);

    [LoggerMessage(6202, LogLevel.Error, "The cache fails: {Reason} Said once until it works again")]
    public static partial void OutageBegan(ILogger logger, string reason);

    [LoggerMessage(6203, LogLevel.Information, "The cache works again")]
    public static partial void OutageEnded(ILogger logger);

    [LoggerMessage(6204, LogLevel.Warning, "A value of {Length} bytes was not cached: {Reason}")]
    public static partial void Dropped(ILogger logger, long length, string reason);
}
