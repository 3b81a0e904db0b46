using Microsoft.Extensions.Logging;

namespace CamCube.Services.Images.Counting;

/// <summary>What the image store tells the log. Ids 5400 to 5499.</summary>
internal static partial class ImagesLog
{
    [LoggerMessage(5400, LogLevel.Warning, "Picture workers: {Line}")]
    public static partial void WorkersSaid(ILogger logger, string line);
}
