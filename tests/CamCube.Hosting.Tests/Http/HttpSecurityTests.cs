using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using CamCube.Hosting.Tests.Kit;

namespace CamCube.Hosting.Tests.Http;

/// <summary>What a web page somewhere else can make a browser send must not reach the cube; over real
/// sockets.</summary>
public sealed class HttpSecurityTests : IAsyncLifetime
{
    private readonly FakeCubeFactory _cube = new();
    private TestHost _host = null!;

    public async ValueTask InitializeAsync() =>
        _host = await TestHost.StartAsync(_cube, ["--shape=2x1x1", "--Http:AllowedHosts=cube.example"], ports: 2);

    public ValueTask DisposeAsync() => _host.DisposeAsync();

    [Theory]
    [InlineData("GET", "/api/status")]
    [InlineData("GET", "/health/ready")]
    [InlineData("GET", "/nothing")]
    [InlineData("POST", "/api/servers/0/stop")]
    [InlineData("POST", "/api/cables/0/px/cut")]
    [InlineData("POST", "/api/servers/0/services/echo/say?text=x")]
    public async Task A_rebound_dns_name_is_refused(string method, string path)
    {
        using HttpResponseMessage answer = await SendAsync(method, path, host: $"evil.example:{_host.HttpPort}");

        await IsProblemAsync(answer, HttpStatusCode.MisdirectedRequest);
        Assert.DoesNotContain(_cube.Journal.Entries, IsOrder);
    }

    [Theory]
    [InlineData("GET", "/api/status", "http://evil.example")]
    [InlineData("POST", "/api/servers/0/stop", "http://evil.example")]
    [InlineData("POST", "/api/servers/0/stop", "null")]
    [InlineData("POST", "/api/servers/0/stop", "http://127.0.0.1")]
    [InlineData("POST", "/api/servers/0/stop", "http://127.0.0.1:3000")]
    [InlineData("POST", "/api/servers/0/stop", "https://{own}")]
    [InlineData("POST", "/api/servers/0/stop", "http://{own}.evil.example")]
    public async Task A_foreign_origin_is_refused(string method, string path, string origin)
    {
        string own = $"127.0.0.1:{_host.HttpPort}";
        using HttpResponseMessage answer = await SendAsync(
            method,
            path,
            origin: origin.Replace("{own}", own, StringComparison.Ordinal)
        );

        await IsProblemAsync(answer, HttpStatusCode.Forbidden);
        Assert.DoesNotContain(_cube.Journal.Entries, IsOrder);
    }

    [Theory]
    [InlineData("cross-site")]
    [InlineData("same-site")]
    public async Task An_order_that_a_page_of_another_site_sends_is_refused_without_an_origin_too(string site)
    {
        using HttpResponseMessage order = await SendAsync("POST", "/api/servers/0/stop", site: site);
        await IsProblemAsync(order, HttpStatusCode.Forbidden);

        using HttpResponseMessage link = await SendAsync("GET", "/api/status", site: site);
        Assert.Equal(HttpStatusCode.OK, link.StatusCode);
        Assert.DoesNotContain(_cube.Journal.Entries, IsOrder);
    }

    [Theory]
    [InlineData("127.0.0.1:{port}", "http://127.0.0.1:{port}", null)]
    [InlineData("localhost:{port}", "http://localhost:{port}", "same-origin")]
    [InlineData("localhost:9999", "http://localhost:9999", null)]
    [InlineData("cube.example", "http://cube.example", "same-origin")]
    [InlineData("localhost", null, "none")]
    [InlineData("localhost", null, null)]
    public async Task Its_own_names_and_pages_are_served(string host, string? origin, string? site)
    {
        string port = $"{_host.HttpPort}";
        using HttpResponseMessage answer = await SendAsync(
            "POST",
            "/api/servers/1/stop",
            host.Replace("{port}", port, StringComparison.Ordinal),
            origin?.Replace("{port}", port, StringComparison.Ordinal),
            site
        );

        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        Assert.Contains("server 1 stops", _cube.Journal.Entries);
    }

    [Fact]
    public async Task The_ports_listen_on_loopback_only()
    {
        IPAddress? outside = (await Dns.GetHostAddressesAsync(Dns.GetHostName())).FirstOrDefault(a =>
            a.AddressFamily == System.Net.Sockets.AddressFamily.InterNetwork && !IPAddress.IsLoopback(a)
        );
        Assert.SkipWhen(outside is null, "This machine has no other address.");

        using System.Net.Sockets.TcpClient client = new();
        await Assert.ThrowsAnyAsync<System.Net.Sockets.SocketException>(() =>
            client.ConnectAsync(outside!, _host.HttpPort).SoonAsync()
        );
    }

    private static bool IsOrder(string entry) =>
        entry.StartsWith("server", StringComparison.Ordinal) || entry.StartsWith("cable", StringComparison.Ordinal);

    private static async Task IsProblemAsync(HttpResponseMessage answer, HttpStatusCode status)
    {
        Assert.Equal(status, answer.StatusCode);
        Assert.Equal("application/problem+json", answer.Content.Headers.ContentType?.MediaType);
        JsonElement problem = await answer.Content.ReadFromJsonAsync<JsonElement>();
        Assert.Equal((int)status, problem.GetProperty("status").GetInt32());
        Assert.False(string.IsNullOrEmpty(problem.GetProperty("detail").GetString()));
    }

    private async Task<HttpResponseMessage> SendAsync(
        string method,
        string path,
        string? host = null,
        string? origin = null,
        string? site = null
    )
    {
        using HttpRequestMessage request = new(new HttpMethod(method), path);
        request.Headers.Host = host;
        if (origin is not null)
        {
            request.Headers.Add("Origin", origin);
        }

        if (site is not null)
        {
            request.Headers.Add("Sec-Fetch-Site", site);
        }

        return await _host.Http.SendAsync(request).SoonAsync();
    }
}
