using System.Net;
using System.Text.Json;

namespace CamCube.Testbed;

/// <summary>Asks one server over HTTP, through a socket in its namespace.</summary>
public sealed class ServerProbe : IDisposable
{
    private readonly HttpClient _http;

    /// <summary>A probe of the server in a namespace.</summary>
    public ServerProbe(string name) => _http = NamespaceHttp.Client(name, TimeSpan.FromSeconds(5));

    /// <summary>Null if it is ready, or why it is not.</summary>
    public async Task<string?> WhyNotReadyAsync(CancellationToken cancel)
    {
        try
        {
            using HttpResponseMessage answer = await _http.GetAsync("/health/ready", cancel);
            return answer.IsSuccessStatusCode
                ? null
                : Reasons(await answer.Content.ReadAsStringAsync(cancel), answer.StatusCode);
        }
        catch (HttpRequestException)
        {
            return "does not answer";
        }
        catch (IOException e)
        {
            return e.Message;
        }
        catch (TaskCanceledException) when (!cancel.IsCancellationRequested)
        {
            return "does not answer in time";
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    private static string Reasons(string body, HttpStatusCode status)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(body);
            if (
                document.RootElement.TryGetProperty("reasons", out JsonElement reasons)
                && reasons.ValueKind == JsonValueKind.Array
            )
            {
                return string.Join("; ", reasons.EnumerateArray().Select(r => r.ToString()));
            }
        }
        catch (JsonException)
        {
            // Something else answers there.
        }

        return $"answers {(int)status}";
    }
}
