using System.Net.Http.Headers;
using System.Text.Json;
using System.Text.Json.Serialization;
using CamCube.Administration.Answers;
using CamCube.Services.Camdoop;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>MapReduce, as the commands ask the servers of a host for it: each time the first that runs it. What goes
/// wrong is a <see cref="ToolException"/>.</summary>
/// <param name="host">The host.</param>
internal sealed class CamdoopHost(ToolHost host) : IDisposable
{
    private const string Service = "camdoop";
    private static readonly TimeSpan Work = TimeSpan.FromSeconds(30);
    private static readonly JsonSerializerOptions Json = new(ToolJson.Options)
    {
        Converters =
        {
            new LinkConverter(),
            new JsonStringEnumConverter(JsonNamingPolicy.CamelCase),
            new CoordinateConverter(),
        },
    };

    /// <summary>Begins a job.</summary>
    public async Task<JobState> RunAsync(JobDescription job, CancellationToken cancel)
    {
        using var body = new ByteArrayContent(JsonSerializer.SerializeToUtf8Bytes(job, Json));
        body.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        return await AskAsync("run", body, cancel);
    }

    /// <summary>How a job is doing.</summary>
    public Task<JobState> FindAsync(string job, CancellationToken cancel) =>
        AskAsync($"status?job={Uri.EscapeDataString(job)}", null, cancel);

    /// <summary>What a job has cost.</summary>
    public async Task<JobReport> ReportAsync(string job, CancellationToken cancel) =>
        Read<JobReport>(await PostAsync($"report?job={Uri.EscapeDataString(job)}", null, cancel));

    /// <summary>Ends a job.</summary>
    public Task<JobState> CancelAsync(string job, CancellationToken cancel) =>
        AskAsync($"cancel?job={Uri.EscapeDataString(job)}", null, cancel);

    /// <summary>All jobs, newest first.</summary>
    public async Task<IReadOnlyList<JobState>> ListAsync(CancellationToken cancel) =>
        Read<JobState[]>(await PostAsync("jobs", null, cancel));

    /// <summary>One line of JSON.</summary>
    public static string TextOf<T>(T value) => JsonSerializer.Serialize(value, Json);

    /// <inheritdoc/>
    public void Dispose() => host.Dispose();

    private async Task<JobState> AskAsync(string command, HttpContent? body, CancellationToken cancel) =>
        Read<JobState>(await PostAsync(command, body, cancel));

    private async Task<string> PostAsync(string command, HttpContent? body, CancellationToken cancel)
    {
        StatusAnswer status = await host.StatusAsync(cancel);
        string[] servers = ServiceServers.Of(
            status,
            Service,
            "MapReduce; a host has it with --Services:camdoop:Enabled=true --Services:files:Enabled=true "
                + "--Services:kv:Enabled=true --DataFolder=FOLDER."
        );
        return (
            await host.PostAsync($"/api/servers/{servers[0]}/services/{Service}/{command}", body, Work, cancel)
        ).Text;
    }

    private static T Read<T>(string json)
    {
        try
        {
            return JsonSerializer.Deserialize<T>(json, Json)!;
        }
        catch (JsonException)
        {
            throw new ToolException(ExitCode.Unavailable, "the host says of the job what this version cannot read.");
        }
    }

    private sealed class CoordinateConverter : JsonConverter<Coordinate>
    {
        public override Coordinate Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            Coordinate.TryParse(reader.GetString(), out Coordinate at) ? at : throw new JsonException();

        public override void Write(Utf8JsonWriter writer, Coordinate value, JsonSerializerOptions options) =>
            writer.WriteStringValue(value.ToString());
    }

    private sealed class LinkConverter : JsonConverter<Link>
    {
        public override Link Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            Links.TryParse(reader.GetString(), out Link link) ? link : throw new JsonException();

        public override void Write(Utf8JsonWriter writer, Link value, JsonSerializerOptions options) =>
            writer.WriteStringValue(value.Name());
    }
}
