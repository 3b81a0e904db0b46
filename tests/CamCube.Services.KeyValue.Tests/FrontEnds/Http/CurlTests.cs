using System.Diagnostics;

namespace CamCube.Services.KeyValue.Tests.FrontEnds.Http;

/// <summary>The commands of docs/key-value.md, with curl itself.</summary>
public sealed class CurlTests
{
    [Fact]
    public async Task Curl_puts_gets_waits_and_deletes_as_the_page_says()
    {
        Assert.SkipUnless(File.Exists("/usr/bin/curl"), "curl is not installed");
        await using StoreCube cube = await StoreCube.StartAsync();
        string root = $"{cube.Root}kv";
        string file = Path.GetTempFileName();
        byte[] value = new byte[900_000];
        new Random(1).NextBytes(value);
        await File.WriteAllBytesAsync(file, value, TestContext.Current.CancellationToken);
        string put = await CurlAsync(
            $"-T {file} -H \"Content-Type: image/png\" -H \"X-Meta-By: me\" {root}/a%2Fb -D -"
        );
        Assert.Contains("HTTP/1.1 204", put, StringComparison.Ordinal);
        string tag = Header(put, "ETag");
        await CurlAsync($"{root}/a%2Fb -o {file}.2");
        Assert.Equal(value, await File.ReadAllBytesAsync($"{file}.2", TestContext.Current.CancellationToken));
        string head = await CurlAsync($"-I {root}/a%2Fb");
        Assert.Equal(
            ("image/png", "me", "900000"),
            (Header(head, "Content-Type"), Header(head, "X-Meta-by"), Header(head, "Content-Length"))
        );
        Assert.Contains(" 206", await CurlAsync($"-r 0-9 -o {file}.3 -D - {root}/a%2Fb"), StringComparison.Ordinal);
        Assert.Equal(value[..10], await File.ReadAllBytesAsync($"{file}.3", TestContext.Current.CancellationToken));
        Assert.Contains(
            " 304",
            await CurlAsync($"-D - -H 'If-None-Match: {tag}' {root}/a%2Fb"),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "HTTP/1.1 412",
            await CurlAsync($"-D - -T {file} -H 'If-None-Match: *' {root}/a%2Fb"),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "HTTP/1.1 204",
            await CurlAsync($"-D - -T {file} -H 'If-Match: {tag}' {root}/a%2Fb"),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "there is still no such key.",
            await CurlAsync($"-G --data-urlencode 'key={{}}' -d wait=0 -d timeout=10ms {root}/"),
            StringComparison.Ordinal
        );
        await File.WriteAllBytesAsync(file, new byte[(1 << 20) + 1], TestContext.Current.CancellationToken);
        string large = await CurlAsync($"-D - -T {file} {root}/large");
        Assert.Contains("HTTP/1.1 413", large, StringComparison.Ordinal);
        Assert.Contains("a value has 1,048,576 bytes at most; nothing was changed.", large, StringComparison.Ordinal);
        Assert.Contains("HTTP/1.1 204", await CurlAsync($"-D - -X DELETE {root}/a%2Fb"), StringComparison.Ordinal);
        Assert.Contains("there is no such key.", await CurlAsync($"{root}/a%2Fb"), StringComparison.Ordinal);
        Directory.GetFiles(Path.GetTempPath(), Path.GetFileName(file) + "*").ToList().ForEach(File.Delete);
    }

    private static string Header(string text, string name) =>
        text.Split("\r\n").First(line => line.StartsWith($"{name}: ", StringComparison.OrdinalIgnoreCase))[
            (name.Length + 2)..
        ];

    private static async Task<string> CurlAsync(string arguments)
    {
        using var curl = new Process
        {
            StartInfo = new ProcessStartInfo("/bin/sh")
            {
                ArgumentList = { "-c", $"curl -s -S --noproxy '*' --max-time 20 {arguments}" },
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            },
        };
        curl.Start();
        Task<string> errors = curl.StandardError.ReadToEndAsync();
        string output = await curl.StandardOutput.ReadToEndAsync().WaitAsync(StoreCube.Generous);
        await curl.WaitForExitAsync().WaitAsync(StoreCube.Generous);
        Assert.Equal((0, ""), (curl.ExitCode, await errors));
        return output;
    }
}
