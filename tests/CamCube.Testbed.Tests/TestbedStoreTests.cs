namespace CamCube.Testbed.Tests;

/// <summary>The lock of a testbed, and names.</summary>
public sealed class TestbedStoreTests : IDisposable
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(200);
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-store-").FullName;

    [Theory]
    [InlineData("")]
    [InlineData("below")]
    public async Task A_folder_behind_a_symbolic_link_is_a_folder(string below)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "testbeds need Linux");
        string real = Path.Combine(_folder, "real"),
            link = Path.Combine(_folder, "link");
        Directory.CreateDirectory(Path.Combine(real, below));
        Directory.CreateSymbolicLink(link, real);

        // Without an end once: not on the test's own thread.
        Task<TestbedStore> open = Task.Run(
            () => TestbedStore.Open("one", Path.Combine(link, below)),
            TestContext.Current.CancellationToken
        );
        (await open.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken)).Dispose();
    }

    [Fact]
    public void One_command_at_a_time_and_the_next_when_it_has_ended()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "testbeds need Linux");
        TestbedStore first = TestbedStore.Open("one", _folder);
        Assert.StartsWith("another command is at work", Fault("one", _folder), StringComparison.Ordinal);
        TestbedStore.Open("two", _folder).Dispose();
        first.Dispose();
        TestbedStore.Open("one", _folder).Dispose();
    }

    [Fact]
    public void A_lock_that_went_away_with_its_testbed_locks_nothing()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "testbeds need Linux");
        using TestbedStore gone = TestbedStore.Open("one", _folder);
        File.Delete(Path.Combine(_folder, "one.lock"));
        using TestbedStore next = TestbedStore.Open("one", _folder);
        Assert.StartsWith("another command is at work", Fault("one", _folder), StringComparison.Ordinal);
    }

    [Fact]
    public void A_disk_that_takes_nothing_is_said_as_such_at_once()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "testbeds need Linux");
        string circle = Path.Combine(_folder, "one.lock"),
            file = Path.Combine(_folder, "file");
        File.CreateSymbolicLink(circle, circle);
        Assert.StartsWith($"{_folder} cannot be written: ", Fault("one", _folder), StringComparison.Ordinal);
        File.WriteAllText(file, "");
        Assert.StartsWith($"{file} cannot be written: ", Fault("one", file), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("a", true)]
    [InlineData("camcube-2", true)]
    [InlineData("a\n", false)]
    [InlineData("a\nlink delete eth0", false)]
    [InlineData("-a", false)]
    [InlineData("A", false)]
    [InlineData("", false)]
    public void A_name_is_one_word(string text, bool isName) => Assert.Equal(isName, TestbedNames.IsName(text));

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static string Fault(string name, string root) =>
        Assert.Throws<TestbedException>(() => TestbedStore.Open(name, root, Short)).Message;
}
