namespace CamCube;

/// <summary>What a service counts on its server, and what the server counted (<see cref="IServer.Counters"/>). Loop
/// only.</summary>
public interface IServerCounters
{
    /// <summary>A counter that is read from outside: <c>hits</c> becomes <c>camcube.cache.hits</c>.</summary>
    Counter Create(string name, string unit);

    /// <summary>A counter per link, with a link tag.</summary>
    LinkCounter CreatePerLink(string name, string unit);

    /// <summary>State and counters of this server, for people. Allocates.</summary>
    ServerSummary Summarise();
}
