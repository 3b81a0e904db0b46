using CamCube.Messaging;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// A store that starts may have been given up while it was off. Before it votes or stands it asks all servers that it
/// shares groups with and that can be reached, and waits for each until it answers or has been silent for so long. What
/// comes to be reachable later is asked then. Each is asked once in a run. Loop only.
/// </summary>
internal sealed class Admission(
    IServer server,
    MessageChannel<KeyValueHeader> channel,
    Peers peers,
    Bans bans,
    long silenceNanos
)
{
    private const int AsksPerSilence = 4;
    private readonly Dictionary<Coordinate, (long Since, long Last)> _asked = [];
    private readonly HashSet<Coordinate> _said = [];

    /// <summary>All have answered that could be reached, as far as that was waited for.</summary>
    public bool IsIn { get; private set; }

    /// <summary>A server has said what it knows.</summary>
    public void Said(Coordinate from) => _said.Add(from);

    /// <summary>Asks whom it has to, and looks whether all have answered.</summary>
    public void Look()
    {
        long now = server.NowNanos;
        bool isIn = true;
        for (int i = 0; i < peers.All.Count; i++)
        {
            Peer peer = peers.All[i];
            if (peer.Groups <= 0 || _said.Contains(peer.Server) || !server.Topology.IsReachable(peer.Server))
            {
                continue;
            }

            (long since, long last) = _asked.GetValueOrDefault(peer.Server, (now, long.MinValue / 2));
            if (now - since > silenceNanos)
            {
                continue;
            }

            isIn = false;
            if (now - last >= silenceNanos / AsksPerSilence)
            {
                _asked[peer.Server] = (since, now);
                var header = new KeyValueHeader { Type = MessageType.AskStore };
                channel.Send(header, bans.ToBytes(), default, peer.Server);
            }
        }

        IsIn = isIn;
    }
}
