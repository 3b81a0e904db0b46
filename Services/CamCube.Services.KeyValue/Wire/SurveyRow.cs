using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>What a store knows of one group.</summary>
internal sealed record SurveyRow
{
    /// <summary>The group.</summary>
    public GroupId Group { get; init; }

    /// <summary>The epoch it is in, or knows to have begun.</summary>
    public GroupEpoch? Epoch { get; init; }

    /// <summary>How much of the state is here: the ballot of its end, if that is known.</summary>
    public Ballot Ballot { get; init; }

    /// <summary>The index of its end.</summary>
    public ulong Index { get; init; }

    /// <summary>It has a part of the state.</summary>
    public bool HasData { get; init; }

    /// <summary>It knew itself not to be away: so it has all that anybody was told before it last heard a leader.
    /// </summary>
    public bool IsWhole { get; init; }

    /// <summary>The epoch is a birth to which it agreed; that all have is not known to it.</summary>
    public bool IsBirth { get; init; }

    /// <summary>How long ago it heard a leader, or led, in milliseconds; the greatest number: not since it started.
    /// </summary>
    public uint HeardMillis { get; init; } = uint.MaxValue;

    /// <summary>The recovery that it agreed to, and that is not over there.</summary>
    public GroupRecovery? Recovery { get; init; }

    public void Write(WireWriter writer)
    {
        writer.UInt(Group.Number);
        EpochFormat.Write(writer, Epoch);
        EpochFormat.Write(writer, Ballot);
        writer.ULong(Index);
        writer.Byte((byte)((HasData ? 1 : 0) | (IsWhole ? 2 : 0) | (IsBirth ? 4 : 0)));
        writer.UInt(HeardMillis);
        EpochFormat.Write(writer, Recovery);
    }

    /// <summary>False: it is none.</summary>
    public static bool TryRead(ref WireReader reader, out SurveyRow? row)
    {
        row = null;
        var group = new GroupId(reader.UInt());
        if (!EpochFormat.TryRead(ref reader, out GroupEpoch? epoch))
        {
            return false;
        }

        (Ballot ballot, ulong index) = (EpochFormat.ReadBallot(ref reader), reader.ULong());
        byte flags = reader.Byte();
        uint heard = reader.UInt();
        if (!EpochFormat.TryRead(ref reader, out GroupRecovery? recovery) || reader.IsBroken)
        {
            return false;
        }

        row = new SurveyRow
        {
            Group = group,
            Epoch = epoch,
            Ballot = ballot,
            Index = index,
            HasData = (flags & 1) != 0,
            IsWhole = (flags & 2) != 0,
            IsBirth = (flags & 4) != 0,
            HeardMillis = heard,
            Recovery = recovery,
        };
        return true;
    }
}
