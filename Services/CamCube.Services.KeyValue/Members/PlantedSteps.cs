using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Members;

/// <summary>Steps that no server makes, for tests of what must find them.</summary>
internal static class PlantedSteps
{
    /// <summary>Who proposed other members goes on with them at once.</summary>
    public static void UseEpochEarly(GroupState state, List<GroupAction> actions)
    {
        if (state is { Role: GroupRole.Leader, EndsInNext: true })
        {
            int from = actions.Count;
            var step = new GroupStep(state, actions);
            GroupEpochs.End(step);
            step.End(from);
        }
    }

    /// <summary>The state that is to be fetched is said to be here.</summary>
    public static GroupEvent Installed(in GroupAction fetch) =>
        new()
        {
            Kind = EventKind.Installed,
            Epoch = fetch.Epoch,
            Data = fetch.Index,
        };
}
