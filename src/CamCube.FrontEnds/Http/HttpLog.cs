using Microsoft.Extensions.Logging;

namespace CamCube.FrontEnds.Http;

/// <summary>What front ends over HTTP tell the log. Ids 2400 to 2499.</summary>
internal static partial class HttpLog
{
    [LoggerMessage(
        2400,
        LogLevel.Information,
        "HTTP request for the host '{Host}' refused: it is none of the allowed names"
    )]
    public static partial void ForeignHost(ILogger logger, string host);

    [LoggerMessage(
        2401,
        LogLevel.Information,
        "HTTP request from the origin '{Origin}' refused: it is not the host's own"
    )]
    public static partial void ForeignOrigin(ILogger logger, string origin);

    [LoggerMessage(2402, LogLevel.Error, "{FrontEnd}: {Method} {Path} failed")]
    public static partial void RequestFailed(
        ILogger logger,
        Exception exception,
        string frontEnd,
        string method,
        string path
    );
}
