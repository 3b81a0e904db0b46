using System.Text.Json.Nodes;

namespace CamCube.Services.Camdoop.Tests.FrontEnds;

/// <summary>The page and its feed, in front of a fake service.</summary>
public sealed class HttpTests
{
    private const string Job = "/camdoop/jobs/" + FakeCamdoop.Job;

    [Theory]
    [InlineData("/")]
    [InlineData("/camdoop")]
    public async Task The_page_is_whole_and_nothing_else_runs_in_it(string target)
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        (HttpResponseMessage answer, string page) = await cube.SendAsync("GET", target);
        Assert.Equal((200, "text/html"), ((int)answer.StatusCode, answer.Content.Headers.ContentType!.MediaType));
        string policy = Assert.Single(answer.Headers.GetValues("Content-Security-Policy"));
        Assert.StartsWith("default-src 'none'; ", policy, StringComparison.Ordinal);
        Assert.Matches("; style-src 'sha256-[A-Za-z0-9+/=]{44}'; script-src 'sha256-[A-Za-z0-9+/=]{44}'$", policy);
        Assert.Equal("nosniff", Assert.Single(answer.Headers.GetValues("X-Content-Type-Options")));
        Assert.DoesNotContain(" style=", page);
        Assert.DoesNotContain(" onclick", page);
        Assert.DoesNotContain("innerHTML", page);
        Assert.DoesNotContain("http", page.Replace("http://www.w3.org/2000/svg", "", StringComparison.Ordinal));
        Assert.Empty((await cube.SendAsync("HEAD", target)).Text);
    }

    [Fact]
    public async Task The_feed_says_what_the_service_does_but_not_what_programs_do()
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        (HttpResponseMessage answer, string text) = await cube.SendAsync("GET", "/camdoop/jobs");
        Assert.Equal("application/json", answer.Content.Headers.ContentType!.MediaType);
        JsonNode all = JsonNode.Parse(text)!;
        Assert.Equal(("3x1x1", FakeCamdoop.Job), ((string)all["cube"]!, (string)all["jobs"]![0]!["name"]!));
        text = (await cube.SendAsync("GET", Job)).Text;
        JsonNode one = JsonNode.Parse(text)!;
        Assert.Equal("reducing", (string)one["state"]!["phase"]!);
        Assert.Equal("<b>words</b>", (string)one["state"]!["title"]!);
        Assert.Equal("it failed", (string)one["state"]!["failures"]![0]!["words"]!);
        Assert.DoesNotContain("secret", text);
        JsonNode link = one["report"]!["links"]![0]!;
        Assert.Equal(
            ("2,0,0", "+x", 5, 7),
            ((string)link["server"]!, (string)link["link"]!, (int)link["sent"]!, (int)link["unaggregated"]!)
        );
        Assert.DoesNotContain("</script>", text);
        Assert.Equal("</script>", (string)one["report"]!["keys"]!["heaviest"]![0]!["key"]!);
    }

    [Fact]
    public async Task Nothing_can_be_changed_and_what_is_not_there_is_refused_in_words()
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        foreach (string method in (string[])["POST", "PUT", "DELETE", "PATCH"])
        {
            foreach (string target in (string[])["/", "/camdoop", "/camdoop/jobs", Job])
            {
                (HttpResponseMessage refused, _) = await cube.SendAsync(method, target);
                Assert.Equal(
                    (405, "GET, HEAD"),
                    ((int)refused.StatusCode, refused.Content.Headers.Allow.Aggregate((a, b) => $"{a}, {b}"))
                );
            }
        }

        string[] strange =
        [
            "/camdoop/jobs/job_1_0002",
            "/camdoop/jobs/%00",
            "/camdoop/jobs/..%2f..%2fetc",
            "/camdoop/jobs/%f0%28%8c%bc",
            $"/camdoop/jobs/{new string('x', 4_000)}",
            "/camdoop/jobs/a/b",
            "/camdoop/run",
            "/api/status",
        ];
        foreach (string target in strange)
        {
            (HttpResponseMessage refused, string words) = await cube.SendAsync("GET", target);
            // Kestrel refuses some paths itself, and says nothing.
            Assert.True((int)refused.StatusCode is 404 or 400, $"{target}: {refused.StatusCode}");
            Assert.True(words.Length == 0 || !string.IsNullOrEmpty((string?)JsonNode.Parse(words)!["detail"]), words);
        }

        foreach (
            (JobStatus end, int status) in ((JobStatus, int)[])[(JobStatus.BadJob, 400), (JobStatus.Unavailable, 503)]
        )
        {
            cube.Clock.Advance(TimeSpan.FromSeconds(5));
            await cube.AskAsync(s => s.Ends = end);
            Assert.Equal(status, (int)(await cube.SendAsync("GET", Job)).Answer.StatusCode);
        }

        Assert.Equal(503, (int)(await cube.SendAsync("GET", "/camdoop/jobs")).Answer.StatusCode);
    }

    [Fact]
    public async Task However_many_look_on_the_service_is_asked_once()
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        await cube.AskAsync(static s => s.Waits = true);
        Task<(HttpResponseMessage Answer, string Text)>[] crowd =
        [
            .. Enumerable.Range(0, 100).Select(_ => cube.SendAsync("GET", Job)),
        ];
        while (await cube.AskAsync(static s => s.Asked) == 0)
        {
            // Who fails, or is answered by nobody, has not waited.
            Assert.DoesNotContain(crowd, static one => one.IsCompleted);
            await Task.Delay(5, TestContext.Current.CancellationToken);
        }

        await cube.AskAsync(static s =>
        {
            s.Go();
            return 0;
        });
        foreach ((HttpResponseMessage answer, _) in await Task.WhenAll(crowd))
        {
            Assert.Equal(200, (int)answer.StatusCode);
        }

        Assert.Equal(1, await cube.AskAsync(static s => s.Asked));
        cube.Clock.Advance(TimeSpan.FromSeconds(1));
        await cube.SendAsync("GET", Job);
        Assert.Equal(2, await cube.AskAsync(static s => s.Asked));
        await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => cube.SendAsync("GET", "/camdoop/jobs")));
        Assert.Equal(1, await cube.AskAsync(static s => s.Listed));

        // As many names at once as nobody keeps: each is asked for, and the one that is kept is still there.
        for (int i = 0; i < 80; i++)
        {
            await cube.SendAsync("GET", $"/camdoop/jobs/job_1_{i:0000}");
        }

        Assert.Equal(82, await cube.AskAsync(static s => s.Asked));
        await cube.SendAsync("GET", Job);
        Assert.Equal(82, await cube.AskAsync(static s => s.Asked));
    }
}
