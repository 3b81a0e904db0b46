using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Members;

/// <summary>Another server that groups are shared with.</summary>
internal sealed class Peer(Coordinate server)
{
    public Coordinate Server => server;

    /// <summary>What it should say of the groups that are shared, if all is well.</summary>
    public BeatContent Sums;

    /// <summary>Groups whose epoch or plan it is in.</summary>
    public int Groups { get; set; }

    /// <summary>Its store, as it last said.</summary>
    public StoreId? Store { get; set; }

    /// <summary>Its store in memory, as it last said.</summary>
    public StoreId? Memory { get; set; }

    /// <summary>The one in which a group is.</summary>
    public StoreId? StoreOf(Member member) => member.Store.IsInMemory ? Memory : Store;

    /// <summary>It says which store it has.</summary>
    public void Note(StoreId store, bool isInMemory)
    {
        if (isInMemory)
        {
            Memory = store;
        }
        else
        {
            Store = store;
        }
    }

    /// <summary>It is about to stop.</summary>
    public bool IsLeaving { get; set; }

    /// <summary>When it was last heard.</summary>
    public long HeardNanos { get; set; } = long.MinValue / 2;

    /// <summary>When it last said that it leads all that is followed here.</summary>
    public long LeadNanos { get; set; } = long.MinValue / 2;

    /// <summary>What <see cref="BeatContent.LeadApplied"/> was with the beat before.</summary>
    public ulong LastApplied { get; set; }

    /// <summary>Beats in a row at which it had something else applied, while here nothing changed.</summary>
    public int Differences { get; set; }

    /// <summary>Groups whose entries are among the messages that gather for it.</summary>
    public List<Member> WithEntries { get; } = [];

    /// <summary>Messages that gather for it.</summary>
    public WireWriter Gathering { get; } = new();
}
