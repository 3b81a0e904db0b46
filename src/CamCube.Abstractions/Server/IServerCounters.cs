namespace CamCube;

/// <summary>What a service counts on its server, and what the server counted (<see cref="IServer.Counters"/>). Loop
/// only.</summary>
public interface IServerCounters
{
    /// <summary>A counter that is read from outside: <c>hits</c> becomes <c>camcube.cache.hits</c>.</summary>
    Counter Create(string name, string unit);

    /// <summary>A counter per link, with a link tag.</summary>
    LinkCounter CreatePerLink(string name, string unit);

    /// <summary>A counter per value of a label, with a tag of that name. Another instance of the service begins with
    /// none.</summary>
    /// <param name="name">Name within the service.</param>
    /// <param name="unit">Unit in UCUM style.</param>
    /// <param name="label">What the values are: <c>endpoint</c>.</param>
    /// <param name="most">How many are told by name; those beyond are told in one sum.</param>
    LabelledCounter CreatePerLabel(string name, string unit, string label, int most);

    /// <summary>State and counters of this server, for people. Allocates.</summary>
    ServerSummary Summarise();
}
