using CamCube.Trees;

namespace CamCube.Services.Collectives.Wire;

/// <summary>Why a group has ended, as the word that ends the streams of its edges: so all members hear it, each from
/// its neighbours in the trees.</summary>
internal static class GroupEnd
{
    /// <summary>Who is asked knows nothing of the group that the other knows it by.</summary>
    public const PullRefusal Forgotten = PullRefusal.FirstOfService;

    private const uint Mark = 1u << 31;
    private const int AtStatus = 24;
    private const uint RankMask = (1u << AtStatus) - 1;

    public static PullRefusal Of(CollectiveStatus status, int rank) =>
        (PullRefusal)(Mark | ((uint)status << AtStatus) | ((uint)rank & RankMask));

    public static bool TryRead(PullRefusal word, out CollectiveStatus status, out int rank)
    {
        status = (CollectiveStatus)(((uint)word & ~Mark) >> AtStatus);
        rank = (int)((uint)word & RankMask);
        return ((uint)word & Mark) != 0
            && status
                is CollectiveStatus.Mismatch
                    or CollectiveStatus.MemberLost
                    or CollectiveStatus.MemberLeft
                    or CollectiveStatus.FunctionThrew
                    or CollectiveStatus.FunctionLate
                    or CollectiveStatus.OtherSettings;
    }
}
