using System.Net;
using Microsoft.Extensions.Logging;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>Log messages of the memcached front end; ids 5200 to 5219.</summary>
internal static partial class MemcachedLog
{
    [LoggerMessage(5200, LogLevel.Error, "A memcached command failed; the client was told SERVER_ERROR.")]
    public static partial void CommandFailed(ILogger logger, Exception error);

    [LoggerMessage(5201, LogLevel.Error, "A memcached connection failed and was closed.")]
    public static partial void ConnectionFailed(ILogger logger, Exception error);

    [LoggerMessage(5202, LogLevel.Warning, "Cannot accept memcached clients on {EndPoint}; trying again.")]
    public static partial void AcceptFailed(ILogger logger, IPEndPoint endPoint, Exception error);

    [LoggerMessage(5203, LogLevel.Debug, "Rejected a memcached client: {Limit} are connected (MaxConnections).")]
    public static partial void Rejected(ILogger logger, int limit);

    [LoggerMessage(5204, LogLevel.Debug, "A memcached client at {Address} did not agree on TLS: {Reason}")]
    public static partial void HandshakeFailed(ILogger logger, string address, string reason);

    [LoggerMessage(
        5205,
        LogLevel.Warning,
        "Few file descriptors are left: memcached clients on {EndPoint} wait until some end."
    )]
    public static partial void FewDescriptors(ILogger logger, IPEndPoint endPoint);

    [LoggerMessage(5206, LogLevel.Warning, "The Unix socket's file {File} cannot be deleted and stays: {Reason}")]
    public static partial void SocketFileStays(ILogger logger, string file, string reason);
}
