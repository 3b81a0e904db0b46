using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Cache.Asking;
using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.CubeWide;
using CamCube.Services.Cache.HotSpots;
using CamCube.Services.Cache.Lending;
using CamCube.Services.Cache.Roots;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache;

/// <summary>Hands messages of other servers to the part of the cache that they are for; drops and counts those that
/// cannot be right. Loop only.</summary>
internal sealed class CacheMessages(TorusShape shape, CacheCounters counters) : IMessageHandler<CacheHeader>
{
    private RootSide _root = null!;
    private HolderSide _holder = null!;
    private AskingSide _asking = null!;
    private ChangeGate _gate = null!;
    private CubeCommands _cube = null!;
    private Housekeeping _housekeeping = null!;

    /// <summary>Names the parts; once, before the first message. They need the channel, and the channel needs
    /// this.</summary>
    public void Bind(
        RootSide root,
        HolderSide holder,
        AskingSide asking,
        ChangeGate gate,
        CubeCommands cube,
        Housekeeping housekeeping
    )
    {
        (_root, _holder, _asking, _gate) = (root, holder, asking, gate);
        (_cube, _housekeeping) = (cube, housekeeping);
    }

    /// <inheritdoc/>
    public void OnMessage(in IncomingMessage<CacheHeader> message)
    {
        if (!PacketRules.IsWellFormed(message.Header, message.Content, shape))
        {
            counters[CacheCount.Malformed].Add();
            return;
        }

        switch ((PacketKind)message.Header.Kind)
        {
            case PacketKind.Read:
                _root.OnRead(Asked<CacheHeader>.Of(message));
                break;
            case PacketKind.Change:
                _root.OnChange(Asked<CacheHeader>.Of(message));
                _housekeeping.Look();
                break;
            case PacketKind.Answer:
                _asking.OnAnswer(message);
                break;
            case PacketKind.Refusal:
                _asking.OnRefusal(message);
                break;
            case PacketKind.Lookup:
                _holder.OnLookup(Asked<CacheHeader>.Of(message));
                break;
            case PacketKind.Fetch:
                _root.OnFetch(Asked<CacheHeader>.Of(message));
                break;
            case PacketKind.Copy:
                _holder.OnCopy(message);
                _housekeeping.Look();
                break;
            case PacketKind.CopyFlush:
                _holder.OnFlush(message);
                break;
            case PacketKind.CopyFlushed:
                _gate.OnFlushed(message);
                _housekeeping.Look();
                break;
            case PacketKind.Flush:
                _cube.OnFlush(message);
                break;
            case PacketKind.Flushed:
            case PacketKind.Counted:
                _cube.OnAnswer(message);
                break;
            case PacketKind.Statistics:
                _cube.OnStatistics(message);
                break;
            case PacketKind.FlushQuery:
                _cube.OnFlushQuery(message);
                break;
            case PacketKind.FlushNews:
                _cube.OnFlushNews(message);
                break;
        }
    }

    /// <inheritdoc/>
    public bool OnArriving(in CacheHeader header, Coordinate source, int length) =>
        (PacketKind)header.Kind switch
        {
            PacketKind.Change or PacketKind.Copy => true,
            PacketKind.Answer => _asking.IsWanted(header),
            _ => false,
        };
}
