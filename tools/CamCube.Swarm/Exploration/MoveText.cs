using CamCube.Services.KeyValue.Groups;

namespace CamCube.Swarm.Exploration;

/// <summary>Messages in words for people, as far as they matter in a trace.</summary>
internal static class MoveText
{
    public static string Of(in GroupMessage message)
    {
        string text = $"{message.Kind} of {LocalSteps.NameOf(message.From)} in {message.Ballot}";
        text += message.Kind switch
        {
            MessageKind.Append => $": behind {message.Index} {GroupText.Of(message.Entries)}, "
                + $"committed {message.Commit}, applied {message.Applied}",
            MessageKind.Accepted or MessageKind.Behind => $": {message.Index}",
            MessageKind.RequestVote => $": log to {message.Index}@{message.EntryBallot}",
            _ => "",
        };
        return message.Epoch is null ? text : $"{text}: {message.Epoch}";
    }
}
