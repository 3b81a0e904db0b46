using System.Runtime.CompilerServices;

namespace CamCube.Services.KeyValue.Groups;

/// <summary>A number for each member of an epoch.</summary>
[InlineArray(GroupEpoch.MostMembers)]
internal struct MemberNumbers
{
    private ulong _first;
}
