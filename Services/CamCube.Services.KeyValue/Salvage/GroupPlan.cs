using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Salvage;

/// <summary>How one group is to go on without a majority of its stores.</summary>
/// <param name="Group">The group.</param>
/// <param name="Recovery">What is proposed.</param>
/// <param name="Lost">Its members that are lost.</param>
/// <param name="Base">What the base said of itself; null: nobody has anything of this group.</param>
internal sealed record GroupPlan(GroupId Group, GroupRecovery Recovery, StoreId[] Lost, SurveyRow? Base);
