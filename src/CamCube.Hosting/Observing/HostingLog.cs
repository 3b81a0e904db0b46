using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Observing;

/// <summary>Messages of the host. Event ids 2000 to 2099 are this project's; an id is never used again for something
/// else.</summary>
internal static partial class HostingLog
{
    [LoggerMessage(
        2000,
        LogLevel.Error,
        "Service {Service} on server {Server} threw and is stopped there; it will be restarted: {WillRestart}"
    )]
    public static partial void ServiceFaulted(
        ILogger logger,
        Exception exception,
        string service,
        Coordinate server,
        bool willRestart
    );

    [LoggerMessage(2001, LogLevel.Warning, "Service {Service} on server {Server} runs again after a fault")]
    public static partial void ServiceRestarted(ILogger logger, string service, Coordinate server);

    [LoggerMessage(2009, LogLevel.Warning, "Service {Service} on server {Server}: {Missing}")]
    public static partial void ServiceMisses(ILogger logger, string service, Coordinate server, string missing);

    [LoggerMessage(
        2005,
        LogLevel.Warning,
        "Command {Command} of service {Service} on server {Server} threw; who asked was told, and the service goes on. "
            + "Since the last such line it threw {Untold} times more"
    )]
    public static partial void CommandThrew(
        ILogger logger,
        Exception exception,
        string command,
        string service,
        Coordinate server,
        long untold
    );

    [LoggerMessage(
        2002,
        LogLevel.Information,
        "Server {Server} sees {Change} of {Concerned} (link {Link}); its view is now {Version}"
    )]
    public static partial void TopologyChanged(
        ILogger logger,
        Coordinate server,
        TopologyEvent change,
        Coordinate concerned,
        string link,
        long version
    );

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

    [LoggerMessage(
        2050,
        LogLevel.Warning,
        "Work {Work} of service {Service} on server {Server} did not end by its deadline; "
            + "threads lost to such work: {Lost}"
    )]
    public static partial void WorkOverran(ILogger logger, string work, string service, Coordinate server, int lost);

    [LoggerMessage(2008, LogLevel.Error, "Front end {Agent} of server {Server} threw and has ended; services go on")]
    public static partial void AgentEnded(ILogger logger, Exception exception, string agent, Coordinate server);

    [LoggerMessage(2006, LogLevel.Error, "The capture {File} can be written no more and has ended; the servers go on")]
    public static partial void CaptureEnded(ILogger logger, Exception exception, string file);

    [LoggerMessage(2007, LogLevel.Error, "Fault rule {Rule} threw and is in force no more; the server goes on")]
    public static partial void FaultRuleEnded(ILogger logger, Exception exception, string rule);

    [LoggerMessage(
        2051,
        LogLevel.Error,
        "Another process has the files of server {Server} in {Folder}: its services have no disk (CamCube:DataFolder)"
    )]
    public static partial void DataFolderInUse(ILogger logger, Coordinate server, string folder);

    [LoggerMessage(2010, LogLevel.Information, "{Stage} started")]
    public static partial void StageStarted(ILogger logger, string stage);

    [LoggerMessage(2011, LogLevel.Information, "{Stage} stopped")]
    public static partial void StageStopped(ILogger logger, string stage);

    [LoggerMessage(2012, LogLevel.Warning, "{Stage} did not stop in time; going on without")]
    public static partial void StageLate(ILogger logger, string stage);

    [LoggerMessage(2013, LogLevel.Error, "{Stage} failed to stop; going on")]
    public static partial void StageFailed(ILogger logger, Exception exception, string stage);

    [LoggerMessage(
        2014,
        LogLevel.Critical,
        "An error that is no service's has ended the servers of this process, which ends now"
    )]
    public static partial void CubeFailed(ILogger logger, Exception exception);

    [LoggerMessage(2022, LogLevel.Error, "HTTP request {Method} {Path} failed")]
    public static partial void RequestFailed(ILogger logger, Exception exception, string method, string path);

    [LoggerMessage(2030, LogLevel.Warning, "systemd could not be told '{State}': {Reason}")]
    public static partial void NotifyFailed(ILogger logger, string state, string reason);

    // 2031 and 2032 were the systemd watchdog's own words for what the watch says now.
    [LoggerMessage(2040, LogLevel.Error, "{Where}; nothing else there goes on")]
    public static partial void LoopHangs(ILogger logger, string where);

    [LoggerMessage(2041, LogLevel.Warning, "The loop goes on; it was in {Where} for {Time}")]
    public static partial void LoopGoesOn(ILogger logger, string where, string time);

    [LoggerMessage(
        2042,
        LogLevel.Warning,
        "{Callback} on server {Server} ran for {Millis} ms or more, in which nothing else there went on; "
            + "such callbacks of the service since the "
            + "last line: {Count}"
    )]
    public static partial void SlowCallback(
        ILogger logger,
        string callback,
        Coordinate server,
        long millis,
        long count
    );

    [LoggerMessage(
        2043,
        LogLevel.Warning,
        "Service {Service} on server {Server} has held most of its server's packets for {Time}: "
            + "{Held} of {Budget} now; it may have lost them"
    )]
    public static partial void HoldsPackets(
        ILogger logger,
        string service,
        Coordinate server,
        int held,
        int budget,
        TimeSpan time
    );

    [LoggerMessage(2044, LogLevel.Error, "The watch on the loop failed; it goes on")]
    public static partial void WatchFailed(ILogger logger, Exception exception);

    [LoggerMessage(2045, LogLevel.Warning, "{Stage} did not stop in time; going on without: {Where}")]
    public static partial void StageLateIn(ILogger logger, string stage, string where);

    [LoggerMessage(2060, LogLevel.Information, "Service {Service} is reloaded: {Version} ({Hash})")]
    public static partial void Reloaded(ILogger logger, string service, string version, string hash);

    [LoggerMessage(2061, LogLevel.Warning, "The reload of service {Service} to {Version} ({Hash}) ended: {Problem}")]
    public static partial void ReloadEnded(ILogger logger, string service, string version, string hash, string problem);
}
