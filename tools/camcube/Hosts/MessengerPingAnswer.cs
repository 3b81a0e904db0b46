using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>The answer of the command ping of the service messenger.</summary>
internal sealed record MessengerPingAnswer(
    string From,
    string To,
    int Size,
    bool Long,
    [property: JsonRequired] MessengerReplyAnswer[] Replies
);
