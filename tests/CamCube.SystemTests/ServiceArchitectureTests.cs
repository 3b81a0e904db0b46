using System.Text.RegularExpressions;

namespace CamCube.SystemTests;

/// <summary>A service holds its protocol, its state and its options: what names a socket or a record of TLS is in
/// src.</summary>
public sealed partial class ServiceArchitectureTests
{
    // The tunnel's cards are the machine's own, and nobody else has any: they stand in one folder.
    private static readonly string[] Cards =
    [
        "Services/CamCube.Services.Tunnel/Cards/",
        "Services/CamCube.Services.Tunnel/CamCube.Services.Tunnel.csproj",
    ];

    [Fact]
    public void No_service_names_a_socket_or_a_record_of_TLS()
    {
        string root = ArchitectureTests.RepositoryRoot();
        string[] files =
        [
            .. new[] { "*.cs", "*.csproj" }
                .SelectMany(pattern =>
                    Directory.EnumerateFiles(Path.Combine(root, "Services"), pattern, SearchOption.AllDirectories)
                )
                .Where(path => !path.Replace('\\', '/').Contains("/obj/", StringComparison.Ordinal))
                .Where(path => !Cards.Any(Path.GetRelativePath(root, path).Replace('\\', '/').StartsWith)),
        ];
        Assert.NotEmpty(files);
        string[] breaches =
        [
            .. files.SelectMany(path => Breaches(Path.GetRelativePath(root, path), File.ReadAllText(path))),
        ];
        Assert.True(breaches.Length == 0, string.Join(Environment.NewLine, breaches));
    }

    [Theory]
    [InlineData("using System.Net.Sockets;")]
    [InlineData("global using System.Net.Security;")]
    [InlineData("using CamCube.Linux;")]
    [InlineData("<ProjectReference Include=\"../../src/CamCube.Linux/CamCube.Linux.csproj\" />")]
    [InlineData("private readonly SslStream _stream;")]
    [InlineData("var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);")]
    [InlineData("new NetworkStream(client)")]
    [InlineData("using var listener = new TcpListener(endPoint);")]
    [InlineData("[LibraryImport(\"libc\", EntryPoint = \"recv\")]")]
    public void A_planted_breach_is_reported(string line) =>
        Assert.StartsWith("A.cs:2: ", Assert.Single(Breaches("A.cs", $"class A;\n{line}\n")));

    [Theory]
    [InlineData("/// <summary>Path of a Unix socket to listen on.</summary>")]
    [InlineData("options.UnixSocket = \"/run/x\";")]
    [InlineData("using CamCube.FrontEnds.Tls;")]
    public void Words_and_settings_are_not_reported(string line) => Assert.Empty(Breaches("A.cs", line));

    private static IEnumerable<string> Breaches(string path, string text) =>
        text.Split('\n')
            .Index()
            .Where(line => !line.Item.TrimStart().StartsWith("//", StringComparison.Ordinal))
            .Where(line => Named().IsMatch(line.Item))
            .Select(line => $"{path}:{line.Index + 1}: names {Named().Match(line.Item).Value}");

    [GeneratedRegex(
        @"System\.Net\.Sockets|System\.Net\.Security|CamCube\.Linux|\bSslStream\b|\bSocket\b|\bSafeSocketHandle\b"
            + @"|\bNetworkStream\b|\bTcp(Listener|Client)\b|\bUdpClient\b"
            + @"|EntryPoint = ""(socket|bind|listen|accept4?|connect|send|recv|sendmmsg|recvmmsg|epoll\w*)"""
    )]
    private static partial Regex Named();
}
