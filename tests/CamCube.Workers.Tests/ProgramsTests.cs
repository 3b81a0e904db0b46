namespace CamCube.Workers.Tests;

public sealed class ProgramsTests
{
    [Fact]
    public async Task Megabytes_go_through_cat_while_they_are_written()
    {
        using IPrograms programs = Programs.Open();
        using IProgram cat = await programs.BeginAsync(Programs.Start("cat"));
        byte[] input = new byte[5_000_000];
        new Random(1).NextBytes(input);
        Task writing = WriteAsync();
        byte[] output = await cat.ReadAllAsync();
        await writing;
        Assert.True(output.AsSpan().SequenceEqual(input));
        ProgramEnd end = await cat.EndAsync();
        Assert.True(end.IsSuccess, end.ToString());

        async Task WriteAsync()
        {
            for (int i = 0; i < input.Length; i += 100_000)
            {
                Assert.True(await cat.WriteAsync(input.AsMemory(i, 100_000)));
            }

            cat.CompleteInput();
        }
    }
}
