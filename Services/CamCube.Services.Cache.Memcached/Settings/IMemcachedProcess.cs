namespace CamCube.Services.Cache.Memcached.Settings;

/// <summary>
/// The program that a front end runs in, for the commands that are about it. Called on the threads of connections: it
/// must not block, and nothing it does may run clients on the caller's thread.
/// </summary>
public interface IMemcachedProcess
{
    /// <summary>Whether a client may end the program with <c>shutdown</c>.</summary>
    bool AllowsShutdown { get; }

    /// <summary>How much is said on standard error, 0 to 2: <c>verbosity</c> sets it.</summary>
    int Verbosity { get; set; }

    /// <summary>Processor time that it has used, for <c>stats</c>.</summary>
    (TimeSpan User, TimeSpan System) ProcessorTime { get; }

    /// <summary>A client told the program to end. Only called where that is allowed.</summary>
    /// <param name="graceful">Whether it said <c>shutdown graceful</c>.</param>
    void Shutdown(bool graceful);
}
