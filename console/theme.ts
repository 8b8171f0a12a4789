import { Button, createTheme, type CSSVariablesResolver, type MantineColorsTuple, Tooltip } from '@mantine/core';

const tide: MantineColorsTuple = [
  '#e8f6f4',
  '#d3ebe8',
  '#a6d7d1',
  '#75c1b9',
  '#4daea4',
  '#33a297',
  '#1f8f84',
  '#0f766c',
  '#0a655d',
  '#04514a',
];

/** A cool grey for the dark scheme: surfaces must differ without heavy borders. */
const dark: MantineColorsTuple = [
  '#dde4e8',
  '#b4c0c8',
  '#97a6b0',
  '#64737e',
  '#3a464f',
  '#2a343b',
  '#1f272d',
  '#171d22',
  '#12171b',
  '#0c1013',
];

/** The console's theme: dense, with aligned figures. */
export const theme = createTheme({
  primaryColor: 'tide',
  primaryShade: { light: 7, dark: 7 },
  colors: { tide, dark },
  fontFamily:
    "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Thai', sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '15px', lineHeight: '22px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({ defaultProps: { size: 'xs' } }),
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs', checkIconPosition: 'right' } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    TagsInput: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: true } },
    }),
  },
});

/** Mantine's own greys for lesser text are too pale for WCAG AA. */
export const readable: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': '#15212a',
    '--mantine-color-dimmed': '#53616c',
    '--mantine-color-placeholder': '#67747e',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': '#0a655d',
  },
  dark: {
    '--mantine-color-text': '#dde4e8',
    '--mantine-color-dimmed': '#97a6b0',
    '--mantine-color-placeholder': '#8695a0',
    '--mantine-color-error': '#ff9a91',
    '--mantine-color-anchor': '#75c1b9',
  },
});
