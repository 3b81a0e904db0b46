using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Observing;

/// <summary>Messages of the host. Event ids 2000 to 2099 are this project's; an id is never used again for something
/// else.</summary>
internal static partial class HostingLog
{
    [LoggerMessage(
        2000,
        LogLevel.Error,
        "Service {Service} on server {Server} threw and is stopped there; it will be restarted: {WillRestart}")]
    public static partial void ServiceFaulted(
        ILogger logger, Exception exception, string service, Coordinate server, bool willRestart);

    [LoggerMessage(2001, LogLevel.Warning, "Service {Service} on server {Server} runs again after a fault")]
    public static partial void ServiceRestarted(ILogger logger, string service, Coordinate server);

    [LoggerMessage(
        2002,
        LogLevel.Information,
        "Server {Server} sees {Change} of {Concerned} (link {Link}); its view is now {Version}")]
    public static partial void TopologyChanged(
        ILogger logger, Coordinate server, TopologyEvent change, Coordinate concerned, string link, long version);

    /// <summary>What should be known of the cables.</summary>
    public static void CableNews(ILogger logger, LinkNews news)
    {
        if (news.IsFault)
        {
            CableFault(logger, news.Text);
        }
        else
        {
            CableMended(logger, news.Text);
        }
    }

    [LoggerMessage(2003, LogLevel.Warning, "{Text}")]
    public static partial void CableFault(ILogger logger, string text);

    [LoggerMessage(2004, LogLevel.Information, "{Text}")]
    public static partial void CableMended(ILogger logger, string text);

    [LoggerMessage(2010, LogLevel.Information, "{Stage} started")]
    public static partial void StageStarted(ILogger logger, string stage);

    [LoggerMessage(2011, LogLevel.Information, "{Stage} stopped")]
    public static partial void StageStopped(ILogger logger, string stage);

    [LoggerMessage(2012, LogLevel.Warning, "{Stage} did not stop in time; going on without")]
    public static partial void StageLate(ILogger logger, string stage);

    [LoggerMessage(2013, LogLevel.Error, "{Stage} failed to stop; going on")]
    public static partial void StageFailed(ILogger logger, Exception exception, string stage);

    [LoggerMessage(
        2014, LogLevel.Critical, "An error that is no service's has ended the servers of this process, which ends now")]
    public static partial void CubeFailed(ILogger logger, Exception exception);

    [LoggerMessage(
        2020, LogLevel.Information, "HTTP request for the host '{Host}' refused: it is none of the allowed names")]
    public static partial void ForeignHost(ILogger logger, string host);

    [LoggerMessage(
        2021, LogLevel.Information, "HTTP request from the origin '{Origin}' refused: it is not the host's own")]
    public static partial void ForeignOrigin(ILogger logger, string origin);

    [LoggerMessage(2022, LogLevel.Error, "HTTP request {Method} {Path} failed")]
    public static partial void RequestFailed(ILogger logger, Exception exception, string method, string path);

    [LoggerMessage(2030, LogLevel.Warning, "systemd could not be told '{State}': {Reason}")]
    public static partial void NotifyFailed(ILogger logger, string state, string reason);

    [LoggerMessage(2031, LogLevel.Error, "A loop of this process has not turned for {Limit}; systemd's watchdog is not fed")]
    public static partial void LoopHangs(ILogger logger, TimeSpan limit);

    [LoggerMessage(2032, LogLevel.Error, "A loop of this process has ended; systemd's watchdog is not fed any more")]
    public static partial void LoopEnded(ILogger logger);
}
