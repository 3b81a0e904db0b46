using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Messenger;

/// <summary>Settings of the messenger (<c>CamCube:Services:messenger</c>). The same on all servers of a cube.</summary>
public sealed class MessengerOptions
{
    /// <summary>Endpoints of one server, 1 to 1 Mi. Default 4,096. More are answered Full.</summary>
    [Range(1, 1 << 20)]
    public int Endpoints { get; set; } = 4_096;

    /// <summary>Messages that wait to be received at one endpoint, 1 to 65,536. Default 256. Each keeps a packet of the
    /// server's budget; more are dropped and counted.</summary>
    [Range(1, 65_536)]
    public int ReceiveBuffers { get; set; } = 256;

    /// <summary>Names that a server keeps as the root of their keys, 1 to 16 Mi. Default 65,536. More wait until there
    /// is room.</summary>
    [Range(1, 16 << 20)]
    public int Names { get; set; } = 65_536;

    /// <summary>Places of others' endpoints that a server remembers, 16 to 16 Mi. Default 65,536. Of those that are not
    /// used some are forgotten.</summary>
    [Range(16, 16 << 20)]
    public int Places { get; set; } = 65_536;

    /// <summary>Messages that wait until a place is known, of all endpoints of a server, 1 to 65,536. Default 256.
    /// </summary>
    [Range(1, 65_536)]
    public int WaitingForPlaces { get; set; } = 256;

    /// <summary>How long to look for a place before a message is given up, 10 ms to 60 s. Default 1 s: more than the
    /// detection time of failures, or messages are lost when a server dies.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:01:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan ResolveTime { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How long to wait for an answer of the directory before it is asked again, 1 ms to 10 s. Default 20 ms.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.001", "00:00:10", ParseLimitsInInvariantCulture = true)]
    public TimeSpan AskTime { get; set; } = TimeSpan.FromMilliseconds(20);

    /// <summary>How long a server that has just become root of a name's key waits for its owner before it gives the
    /// name to another, 0 to 60 s. Default 100 ms: half the detection time of failures.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:01:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan SettleTime { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>How often owners say again that they are, 100 ms to 1 h. Default 5 s. A name whose owner has not done
    /// so for three times as long is free.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "01:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan RenewTime { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How long a server goes on passing messages to where an endpoint has moved, 0 to 60 s. Default 200 ms:
    /// the detection time of failures.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:01:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan ForwardTime { get; set; } = TimeSpan.FromMilliseconds(200);

    /// <summary>Searches of the whole cube that one server begins in a second, 0 to 10,000; each visits every server.
    /// Default 100. 0: none.</summary>
    [Range(0, 10_000)]
    public int BroadcastsPerSecond { get; set; } = 100;

    /// <summary>Windows that are posted at one endpoint, 1 to 65,536. Default 256.</summary>
    [Range(1, 65_536)]
    public int Windows { get; set; } = 256;

    /// <summary>Long messages under way at a server, those that are sent and those that come each, 1 to 65,536. Default
    /// 1,024.</summary>
    [Range(1, 65_536)]
    public int LongMessages { get; set; } = 1_024;

    /// <summary>Bytes of windows that the messenger itself gives out (<see cref="IMessenger.TryRentWindow"/>). Default
    /// 256 MiB; a claim on the server's memory, which grows as they are needed.</summary>
    [Range(0, 1L << 40)]
    public long WindowMemory { get; set; } = 256L << 20;

    /// <summary>Endpoints of a server that metrics and status tell by their names, 0 to 65,536. Default 64; the others
    /// are told in one sum, <c>(others)</c>.</summary>
    [Range(0, 65_536)]
    public int CountedEndpoints { get; set; } = 64;

    /// <summary>Whether each server has an endpoint of its own, <c>messenger@x,y,z</c>, which answers the commands
    /// <c>ping</c> and <c>endpoints</c> of others. Default true.</summary>
    public bool HasOwnEndpoint { get; set; } = true;
}
