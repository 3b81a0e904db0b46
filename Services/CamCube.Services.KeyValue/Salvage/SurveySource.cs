using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Salvage;

/// <summary>What this server's store knows of its groups, for a recovery by hand. Loop only.</summary>
internal sealed class SurveySource(IServer server, MemberHost host)
{
    /// <summary>All that is known here now.</summary>
    public Survey Take()
    {
        var survey = new Survey
        {
            Store = host.Store,
            Banned = [.. host.Bans.All],
            Founders = FoundersOf(host.Founders),
        };
        foreach (Member member in host.Members.Where(static m => !m.Store.IsInMemory))
        {
            GroupState state = member.State;
            GroupEpoch? epoch = state.Epoch?.IsAfter(state.Fetching) == false ? state.Fetching : state.Epoch;
            epoch ??= state.Fetching ?? state.Birth;
            if (epoch is not null || state.Recovery is not null)
            {
                survey.Rows.Add(RowOf(member, epoch));
            }
        }

        return survey;
    }

    private SurveyRow RowOf(Member member, GroupEpoch? epoch)
    {
        GroupState state = member.State;
        (Ballot ballot, ulong index) = state.Extent;
        int position = state.Position;
        return new SurveyRow
        {
            Group = member.Id,
            Epoch = epoch,
            Ballot = ballot,
            Index = index,
            HasData = state is { Epoch: not null, IsDropped: false } && (index > 0 || ballot != default),
            IsWhole = position >= 0 && state.CommitMarks.IsWhole(position) && !state.CommitMarks.IsAway(position),
            IsBirth = epoch is not null && epoch == state.Birth,
            HeardMillis = HeardMillis(member),
            Recovery = state.Recovery,
        };
    }

    private uint HeardMillis(Member member) =>
        member.LedNanos == 0
            ? uint.MaxValue
            : (uint)Math.Clamp((server.NowNanos - member.LedNanos) / 1_000_000, 0, uint.MaxValue - 1);

    private static StoreId[] FoundersOf(byte[]? stores)
    {
        var reader = new WireReader(stores);
        return EpochFormat.ReadStores(ref reader, int.MaxValue);
    }
}
