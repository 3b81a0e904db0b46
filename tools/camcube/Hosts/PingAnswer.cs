using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>The answer of the command ping of the service diagnostics.</summary>
internal sealed record PingAnswer(string From, string To, int Size, [property: JsonRequired] PingReplyAnswer[] Replies);
