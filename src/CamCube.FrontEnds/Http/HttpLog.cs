using Microsoft.Extensions.Logging;

namespace CamCube.FrontEnds.Http;

/// <summary>What front ends over HTTP tell the log. Ids 2400 to 2499.</summary>
/// <remarks>By hand: the generator of .NET 10 writes the classes of an assembly in another order each time
/// (dotnet/runtime#119587), and packages are to be the same to the byte. One class of an assembly may use it.</remarks>
internal static class HttpLog
{
    private static readonly Action<ILogger, string, Exception?> HostRefused = LoggerMessage.Define<string>(
        LogLevel.Information,
        new EventId(2400, nameof(ForeignHost)),
        "HTTP request for the host '{Host}' refused: it is none of the allowed names"
    );

    private static readonly Action<ILogger, string, Exception?> OriginRefused = LoggerMessage.Define<string>(
        LogLevel.Information,
        new EventId(2401, nameof(ForeignOrigin)),
        "HTTP request from the origin '{Origin}' refused: it is not the host's own"
    );

    private static readonly Action<ILogger, string, string, string, Exception?> Failed = LoggerMessage.Define<
        string,
        string,
        string
    >(LogLevel.Error, new EventId(2402, nameof(RequestFailed)), "{FrontEnd}: {Method} {Path} failed");

    public static void ForeignHost(ILogger logger, string host) => HostRefused(logger, host, null);

    public static void ForeignOrigin(ILogger logger, string origin) => OriginRefused(logger, origin, null);

    public static void RequestFailed(
        ILogger logger,
        Exception exception,
        string frontEnd,
        string method,
        string path
    ) => Failed(logger, frontEnd, method, path, exception);
}
