using Microsoft.Extensions.Logging;

namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>Log messages of Redis' commands; ids 5220 to 5239. Those of its connections are
/// CamCube.FrontEnds'.</summary>
internal static partial class RedisLog
{
    [LoggerMessage(5220, LogLevel.Error, "A Redis command failed; the client was told ERR.")]
    public static partial void CommandFailed(ILogger logger, Exception error);
}
