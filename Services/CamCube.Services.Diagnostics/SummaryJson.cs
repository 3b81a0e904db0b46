using System.Text.Json;

namespace CamCube.Services.Diagnostics;

/// <summary>The servers of a cube as JSON, in the form of the host's status (docs/http-api.md).</summary>
internal static class SummaryJson
{
    /// <summary>Writes <c>{"asked":"x,y,z","servers":[…]}</c>; a server without a summary is
    /// <c>unreachable</c>.</summary>
    public static ReadOnlyMemory<byte> Write(TorusShape shape, Coordinate asked, IReadOnlyList<ServerSummary?> servers)
    {
        using var stream = new MemoryStream();
        using (
            var json = new Utf8JsonWriter(
                stream,
                new JsonWriterOptions
                {
                    Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
                }
            )
        )
        {
            json.WriteStartObject();
            json.WriteString("asked", asked.ToString());
            json.WriteStartArray("servers");
            for (int rank = 0; rank < servers.Count; rank++)
            {
                Write(json, shape, rank, servers[rank]);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        return stream.GetBuffer().AsMemory(0, (int)stream.Length);
    }

    private static void Write(Utf8JsonWriter json, TorusShape shape, int rank, ServerSummary? summary)
    {
        Coordinate server = shape.At(rank);
        json.WriteStartObject();
        json.WriteNumber("rank", rank);
        json.WriteString("coordinate", server.ToString());
        json.WriteString(
            "state",
            summary is null ? "unreachable"
                : summary.HasKeys ? "running"
                : "withoutKeys"
        );
        json.WriteNumber("incarnation", summary?.Incarnation ?? 0);
        json.WriteNumber("reachable", summary?.Reachable ?? 0);
        json.WriteNumber("viewVersion", summary?.ViewVersion ?? 0);
        json.WriteStartObject("packets");
        json.WriteNumber("inUse", summary?.PacketsInUse ?? 0);
        json.WriteNumber("budget", summary?.PacketBudget ?? 0);
        json.WriteEndObject();
        json.WriteStartArray("links");
        foreach (LinkSummary link in summary?.Links ?? [])
        {
            Coordinate neighbour = shape.Step(server, link.Link);
            json.WriteStartObject();
            json.WriteString("link", link.Link.Name());
            json.WriteString("neighbour", neighbour.ToString());
            json.WriteNumber("neighbourRank", shape.RankOf(neighbour));
            json.WriteString("state", link.IsUp ? "up" : "down");
            json.WriteNumber("sentPackets", link.SentPackets);
            json.WriteNumber("sentBytes", link.SentBytes);
            json.WriteNumber("receivedPackets", link.ReceivedPackets);
            json.WriteNumber("receivedBytes", link.ReceivedBytes);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteStartArray("services");
        foreach (ServiceSummary service in summary?.Services ?? [])
        {
            json.WriteStartObject();
            json.WriteString("id", service.Id.ToString());
            json.WriteString("name", service.Name);
            json.WriteString("state", service.IsRunning ? "running" : "faulted");
            json.WriteNumber("faults", service.Faults);
            json.WriteNumber("arrived", service.Arrived);
            json.WriteNumber("sent", service.Sent);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteStartObject("drops");
        foreach ((DropReason reason, long count) in summary?.Drops ?? [])
        {
            json.WriteNumber(JsonNamingPolicy.CamelCase.ConvertName(reason.ToString()), count);
        }

        json.WriteEndObject();
        json.WriteEndObject();
    }
}
